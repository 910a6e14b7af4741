timeline.sort()
fs.write_file(path="/workspace/timeline.txt", content="".join(f"{p}:{d}\n" for d, p in timeline))
print(fs.read_text_file(path="/workspace/timeline.txt", head=25))
