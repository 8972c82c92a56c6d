"""Tensors: storage somewhere in a NeuronCore's memories, and views of it."""
