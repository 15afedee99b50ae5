"""Model services behind one small protocol: `ai_tools.providers.protocol`."""
