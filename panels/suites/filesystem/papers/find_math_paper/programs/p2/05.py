best = ranked[0][1]
print(fs.move_file(source=f"/workspace/papers/{best}", destination="/workspace/papers/answer.html"))
print(fs.search_files(path="/workspace/papers", pattern="answer*"))
