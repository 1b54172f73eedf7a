"""How the parts are put together: settings, processes, addresses. No rules, no reads, no writes."""
