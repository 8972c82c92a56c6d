"""The machine that replays programs: memories with tracking, registers, arithmetic."""
