"""Everything on one machine: its servers, its processes, its state folder."""
