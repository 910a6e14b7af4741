print(mem.open_nodes(names=names))
