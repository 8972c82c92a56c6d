"""What other libraries are told about Arrays as soon as they are imported: `on_import` has the table, a module for each the rest."""
