rows = [f"{p};{budget[p]:.2f}" for p in sorted(budget)]
cents = sum(round(v * 100) for v in budget.values())
rows.append(f"total;{cents // 100}.{cents % 100:02d}")
fs.write_file(path="/workspace/budget.txt", content="\n".join(rows) + "\n")
print(fs.read_text_file(path="/workspace/budget.txt"))
