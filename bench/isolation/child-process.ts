import path from 'node:path'

/** A program of this folder as a process with orders and replies. */
export class ChildProcess<Order, Report> {
  private readonly process: Bun.Subprocess
  private answered: (report: Report | null) => void = () => {}

  constructor(program: string) {
    this.process = Bun.spawn([process.execPath, path.join(import.meta.dir, program)], {
      stdout: 'inherit',
      stderr: 'inherit',
      ipc: (report: Report) => this.answered(report),
    })
  }

  send(order: Order): void {
    this.process.send(order)
  }

  /** The reply to an order; null after a timeout. */
  async ask(order: Order, mostMs: number): Promise<Report | null> {
    const { promise, resolve } = Promise.withResolvers<Report | null>()
    this.answered = resolve
    const timer = setTimeout(() => resolve(null), mostMs)
    this.send(order)
    const report = await promise
    clearTimeout(timer)
    return report
  }

  kill(): void {
    this.process.kill('SIGKILL')
  }
}
