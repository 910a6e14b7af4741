files = fs.search_files(path="/workspace/papers", pattern="*.html").splitlines()
print(len(files))
print(fs.read_text_file(path=files[0])[:5000])
