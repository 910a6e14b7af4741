def fill(root, group):
    for author, names in sorted(group.items()):
        folder = f"{root}/{author.replace(' ', '_')}"
        fs.create_directory(path=folder)
        for n in names:
            fs.write_file(path=f"{folder}/{n}", content=papers[n]["text"])
        print(folder, names)

fill("/workspace/frequent_authors", frequent)
fill("/workspace/authors_2025", recent)
