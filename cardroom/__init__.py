"""Card games as a library that knows no Django: rules, kernels, arena, environments, contract."""
