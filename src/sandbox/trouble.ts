/** The scenarios of a sandbox: what of them acts now, and what they change while they are on. */
import type { Answers } from '../contract/questions.ts'
import type { Deed } from '../scenario/deed.ts'
import { type MagicFound, magicAmong, magicScenario, mayBeMagic } from '../scenario/magic.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { type Acting, type Instant, lengthMs, Script, type Subject } from '../scenario/script.ts'
import type { Stand } from './stand.ts'
import type { Terms } from './terms.ts'

/** A scenario as it is kept: what it was read from, and when it was put on. */
export interface Standing {
  scenario: Scenario
  began: Instant
}

export class Trouble {
  private scripts: Script[] = []
  private spell: Script | null = null
  private alarms: (() => void)[] = []
  /** How much older every signature is just now, ms. */
  skewMs = 0
  answers: Answers
  private readonly usual: Answers
  /** Whether magic values work. */
  private readonly magic: boolean

  constructor(
    private readonly stand: Stand,
    { answers, wish }: Pick<Terms, 'answers' | 'wish'>,
  ) {
    this.answers = this.usual = answers
    this.magic = wish.magic !== 'off'
  }

  /** Whether there is any: nothing else is asked of a sandbox without. */
  get isOn(): boolean {
    return this.scripts.length > 0
  }

  /** Whether anything may be done to a request of which this is a part. */
  mayTouch(text: string): boolean {
    return this.isOn || (this.magic && mayBeMagic(text))
  }

  get standing(): Standing[] {
    return this.scripts.map(({ scenario, began }) => ({ scenario, began }))
  }

  /** Puts a scenario on top of what there is, as of now or as it was. */
  put(scenario: Scenario, began: Instant | null = null): void {
    const script = new Script(scenario, began ?? this.stand.now())
    this.scripts.push(script)
    this.merge()
    if (began === null && scenario.playhead) this.stand.seek(scenario.playhead)
    for (const rule of scenario.rules)
      if (rule.deed.closes) this.alarm(script, rule, script.began.sessionMs + lengthMs(rule.from))
  }

  /** Takes all of them off, or those of a name; whether there was one. */
  clear(name?: string): boolean {
    const kept = this.scripts.filter(({ scenario }) => name !== undefined && scenario.name !== name)
    const had = kept.length < this.scripts.length
    const again = kept.map(({ scenario, began }) => ({ scenario, began }))
    for (const cancel of this.alarms.splice(0)) cancel()
    this.scripts = []
    for (const { scenario, began } of again) this.put(scenario, began)
    this.merge()
    return had
  }

  /** The rules that act on a subject now, in the order in which scenarios were put on. */
  acting(can: (deed: Deed) => boolean, subject: Subject): Acting[] {
    const now = this.stand.now()
    const { coins, addresses } = subject
    const isNamed = coins.length + addresses.length > 0
    return this.scripts
      .concat(this.magic && isNamed ? this.spellbook(now) : [])
      .flatMap((script) => script.acting(can, subject, now))
  }

  /** The magic values that a subject names, where they work. */
  magicIn({ coins, addresses }: Subject): MagicFound[] {
    return this.magic ? magicAmong(coins, addresses) : []
  }

  private spellbook(now: Instant): Script {
    this.spell ??= new Script(magicScenario(), now)
    return this.spell
  }

  private merge(): void {
    const own = this.scripts.map(({ scenario }) => scenario.questions ?? {})
    this.answers = own.length === 0 ? this.usual : Object.assign({}, this.usual, ...own)
  }

  /** Rings as a rule begins, and as often as it begins anew. */
  private alarm(script: Script, rule: Scenario['rules'][number], atMs: number): void {
    const everyMs = lengthMs(rule.every)
    const nowMs = this.stand.now().sessionMs
    const missed = everyMs > 0 ? Math.max(0, Math.ceil((nowMs - atMs) / everyMs)) : 0
    const nextMs = atMs + missed * everyMs
    if (nextMs < nowMs) return
    const ring = () => {
      const now = this.stand.now()
      this.stand.closing((subject) => script.actingOne(rule, subject, now))
      if (everyMs > 0) this.alarm(script, rule, nextMs + everyMs)
    }
    if (nextMs === nowMs) ring()
    else this.alarms.push(this.stand.at(nextMs, ring, `rule ${rule.name}`))
  }
}
