"""Functions of images that have an implementation of ours, with scipy.ndimage's signatures; `trnarray.scipy.ndimage` lists them."""
