def count_words(text):
    return sum(any(c.isalnum() for c in w) for w in text.split())

fs.create_directory(path="/workspace/uppercase")
for n, t in source.items():
    fs.write_file(path="/workspace/uppercase/" + n, content=t.upper())
counts = "".join(f"{n}:{count_words(t)}\n" for n, t in source.items())
fs.write_file(path="/workspace/uppercase/word_counts.txt", content=counts)
print(counts)
print(fs.list_directory(path="/workspace/uppercase"))
print(fs.read_text_file(path="/workspace/uppercase/" + wanted[-1]))
