capitals = {name: texts[name].upper() for name in names}
counts = {name: sum(any(c.isalnum() for c in word) for word in texts[name].split()) for name in names}
lines = "".join(f"{name}:{counts[name]}\n" for name in names)

failed = []
for name in names:
    try:
        fs.write_file(path=f"/workspace/uppercase/{name}", content=capitals[name])
    except ToolError as error:
        failed.append((name, str(error)))
try:
    fs.write_file(path="/workspace/uppercase/word_counts.txt", content=lines)
except ToolError as error:
    failed.append(("word_counts.txt", str(error)))
print(failed)
