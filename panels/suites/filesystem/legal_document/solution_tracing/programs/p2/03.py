def solution(number):
    return clause(versions[10], number).split(". ")[1]

rows = ["clause,version,name"]
for c in CLAUSES:
    final = solution(c).lower()
    agreed = [what for (who, what), v in sorted(history[c].items(), key=lambda kv: kv[1]) if who == "All parties"][-1]
    idea = re.sub(r"^(the|a|an) ", "", agreed.split(": ", 1)[1].split(",")[0].strip())
    hits = [(v, who, what) for (who, what), v in history[c].items() if who != "All parties" and idea.lower() in what.lower()]
    v, who, what = hits[0]
    print(c, "|", idea, "| in final text:", idea.lower() in final, "|", f"v{v}", who, "|", what)
    rows.append(f"{c},{v},{who}")
fs.write_file(path="/workspace/solution_tracing.csv", content="\n".join(rows) + "\n")
print(fs.read_text_file(path="/workspace/solution_tracing.csv"))
