/** Writes down what a market has shown, and asks again whether it is still so. */
import type { ChurnClient, ChurnedSandbox } from './churn-client.ts'

/** What is asked of a span of shown time. */
interface Question {
  path: string
  body: object
  answer: string
}

const COINS = ['BTC', 'SOL', 'DOGE']
const PEOPLE = ['star', 'busiest', 'whale', 'marketMaker']
/** Spans that are asked again each time, beside the last one. */
const AGAIN = 4
const SUBSCRIBED = COINS.map((coin) => ({
  method: 'subscribe',
  subscription: { type: 'trades', coin },
}))

export class ShownRecorder {
  /** What was found to be otherwise than it was. */
  readonly differences: string[] = []
  /** Trades on sockets. */
  readonly tids = new Set<number>()
  private readonly spans: Question[][] = []
  private checked = 0

  constructor(
    private readonly client: ChurnClient,
    private readonly sandbox: ChurnedSandbox,
    private readonly people: readonly string[],
  ) {}

  static async begin(client: ChurnClient, sandbox: ChurnedSandbox): Promise<ShownRecorder> {
    const { personas } = await client.control('GET', `/sandboxes/${sandbox.id}/cast`)
    const known = personas as Record<string, { address: string } | null>
    const people = PEOPLE.flatMap((name) => known[name]?.address ?? [])
    const recorder = new ShownRecorder(client, sandbox, people)
    const before = new Set(sandbox.sockets)
    await client.connect(sandbox, '/hl/ws', SUBSCRIBED)
    for (const socket of sandbox.sockets)
      if (!before.has(socket)) socket.onmessage = ({ data }) => recorder.hear(String(data))
    return recorder
  }

  /** A span is over: what it shows now it shows for ever. */
  async note(fromMs: number, toMs: number): Promise<void> {
    const span = { startTime: fromMs, endTime: toMs }
    const bodies = [
      ...COINS.flatMap((coin) => [
        { type: 'candleSnapshot', req: { coin, interval: '5m', ...span } },
        { type: 'fundingHistory', coin, ...span },
      ]),
      ...this.people.map((user) => ({ type: 'userFillsByTime', user, ...span })),
    ]
    const asked: Question[] = []
    for (const body of bodies) {
      const answer = await this.client.text(this.sandbox, '/hl/info', body)
      asked.push({ path: '/hl/info', body, answer })
    }
    this.spans.push(asked)
    const last = this.spans.length - 1
    const again = Array.from({ length: AGAIN }, (_, at) => Math.floor((last * at) / AGAIN))
    for (const at of new Set([...again, last])) await this.check(this.spans[at] ?? [])
  }

  /** Asks everything again. */
  async checkAll(): Promise<void> {
    for (const span of this.spans) await this.check(span)
  }

  get text(): string {
    const { checked, differences, tids } = this
    return `${checked} answers asked again, ${differences.length} differ; ${tids.size} trades heard`
  }

  private async check(span: readonly Question[]): Promise<void> {
    for (const { path, body, answer } of span) {
      this.checked++
      const now = await this.client.text(this.sandbox, path, body)
      if (now === answer) continue
      let at = 0
      while (now[at] === answer[at]) at++
      const part = (text: string) => text.slice(Math.max(0, at - 80), at + 80)
      this.differences.push(`${JSON.stringify(body)}: was ${part(answer)}, is ${part(now)}`)
    }
  }

  private hear(frame: string): void {
    if (!frame.startsWith('{"channel":"trades"')) return
    for (const { tid } of JSON.parse(frame).data as { tid: number }[]) {
      if (this.tids.has(tid)) this.differences.push(`trade ${tid} was heard twice`)
      this.tids.add(tid)
    }
  }
}
