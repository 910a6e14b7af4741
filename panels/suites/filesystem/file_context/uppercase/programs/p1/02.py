fs.create_directory(path="/workspace/uppercase")
counts = ""
for n in names:
    fs.write_file(path="/workspace/uppercase/" + n, content=texts[n].upper())
    words = [w for w in texts[n].split() if any(c.isalnum() for c in w)]
    counts += "%s:%d\n" % (n, len(words))
fs.write_file(path="/workspace/uppercase/word_counts.txt", content=counts)
print(fs.read_text_file(path="/workspace/uppercase/" + names[0]))
print(counts)
