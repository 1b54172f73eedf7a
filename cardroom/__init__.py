"""Card games as a library: rules, compiled searches, arena, environments, contract. Knows no Django."""
