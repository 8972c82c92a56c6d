"""What suite ``views`` draws: functions that view an array, and writes to one."""
