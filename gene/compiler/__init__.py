"""The compiler: forms become nodes, nodes become Python syntax, Python syntax becomes code objects."""
