print(fs.read_text_file(path="/workspace/grade_summary.txt"))
