/** Tasks in order of arrival, taken from one owner after another. */
export class OwnerQueue<Task extends { owner: object }> {
  private readonly byOwner = new Map<object, Task[]>()
  size = 0

  has(owner: object): boolean {
    return this.byOwner.has(owner)
  }

  add(task: Task): void {
    const tasks = this.byOwner.get(task.owner)
    if (tasks) tasks.push(task)
    else this.byOwner.set(task.owner, [task])
    this.size++
  }

  take(): Task | undefined {
    for (const [owner, tasks] of this.byOwner) {
      const task = tasks.shift()
      this.byOwner.delete(owner)
      if (tasks.length > 0) this.byOwner.set(owner, tasks)
      this.size--
      return task
    }
    return undefined
  }
}
