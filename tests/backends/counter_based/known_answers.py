"""Counters, keys and words of the file ``kat_vectors`` of Random123, by the authors of the functions."""

ROWS = """
Philox4x32 7 00000000 00000000 00000000 00000000 00000000 00000000 5f6fb709 0d893f64 4f121f81 4f730a48
Philox4x32 7 ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff 5207ddc2 45165e59 4d8ee751 8c52f662
Philox4x32 7 243f6a88 85a308d3 13198a2e 03707344 a4093822 299f31d0 4dfccaba 190a87f0 c47362ba b6b5242a
Philox4x32 10 00000000 00000000 00000000 00000000 00000000 00000000 6627e8d5 e169c58d bc57ac4c 9b00dbd8
Philox4x32 10 ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff 408f276d 41c83b0e a20bc7c6 6d5451fd
Philox4x32 10 243f6a88 85a308d3 13198a2e 03707344 a4093822 299f31d0 d16cfe09 94fdcceb 5001e420 24126ea1
Threefry2x32 13 00000000 00000000 00000000 00000000 9d1c5ec6 8bd50731
Threefry2x32 13 ffffffff ffffffff ffffffff ffffffff fd36d048 2d17272c
Threefry2x32 13 243f6a88 85a308d3 13198a2e 03707344 ba3e4725 f27d669e
Threefry2x32 20 00000000 00000000 00000000 00000000 6b200159 99ba4efe
Threefry2x32 20 ffffffff ffffffff ffffffff ffffffff 1cb996fc bb002be7
Threefry2x32 20 243f6a88 85a308d3 13198a2e 03707344 c4923a9c 483df7a0
Threefry2x32 32 00000000 00000000 00000000 00000000 cee3d47e a23dfd5c
Threefry2x32 32 ffffffff ffffffff ffffffff ffffffff 6e2fe0d0 b1b76f82
Threefry2x32 32 243f6a88 85a308d3 13198a2e 03707344 e2827716 c3c05cdf
Threefry4x32 13 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 531c7e4f 39491ee5 2c855a92 3d6abf9a
Threefry4x32 13 ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff c4189358 1c9cc83a d5881c67 6a0a89e0
Threefry4x32 13 243f6a88 85a308d3 13198a2e 03707344 a4093822 299f31d0 082efa98 ec4e6c89 4aa71d8f 734738c2 431fc6a8 ae6debf1
Threefry4x32 20 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 9c6ca96a e17eae66 fc10ecd4 5256a7d8
Threefry4x32 20 ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff 2a881696 57012287 f6c7446e a16a6732
Threefry4x32 20 243f6a88 85a308d3 13198a2e 03707344 a4093822 299f31d0 082efa98 ec4e6c89 59cd1dbb b8879579 86b5d00c ac8b6d84
Threefry4x32 72 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 93171da6 9220326d b392b7b1 ff58a002
Threefry4x32 72 ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff 60743f3d 9961e684 aab21c34 8c65fb7d
Threefry4x32 72 243f6a88 85a308d3 13198a2e 03707344 a4093822 299f31d0 082efa98 ec4e6c89 09930adf 7f27bd55 9ed68ce1 97f803f6
"""
WORDS = {"Philox4x32": (4, 2), "Threefry2x32": (2, 2), "Threefry4x32": (4, 4)}


def known_answers():
    """Name, rounds, counter, key and words of each row."""
    for line in ROWS.strip().splitlines():
        name, rounds, *words = line.split()
        values = tuple(int(word, 16) for word in words)
        count, key_words = WORDS[name]
        counter = sum(word << 32 * place for place, word in enumerate(values[:count]))
        yield name, int(rounds), counter, values[count : count + key_words], values[count + key_words :]
