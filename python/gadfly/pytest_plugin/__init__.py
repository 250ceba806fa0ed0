"""The plugin for pytest: records tests until one fails, and debugs that one."""
