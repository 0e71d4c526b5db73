import { add, negate, type Sz, sz as size, subtract, ZERO } from '../../../decimal/quantity.ts'
import { parse } from '../../../decimal/scaled.ts'
import type { InputAccount, InputEvent, InputInstrument, InputPosition } from '../tape-input.ts'

/** An account of which the tape tells, as it stood when the tape began. */
export interface AccountOfTape {
  address: string
  /** What was told of it, each part by itself. */
  told: readonly InputAccount[]
  positions: readonly PositionOfTape[]
  /** Whether trades of the tape name it. */
  isNamed: boolean
}

export interface PositionOfTape {
  told: InputPosition
  /** Signed: what it was told to be, less what was traded by then. */
  sz: Sz
}

interface Surveyed {
  told: InputAccount[]
  positions: PositionOfTape[]
}

/** Collects what a tape tells of accounts. */
export class AccountSurvey {
  private readonly accounts = new Map<string, Surveyed>()
  private readonly named = new Set<string>()
  private readonly instruments: ReadonlyMap<string, InputInstrument>
  /** Signed sizes that were traded so far, by address and coin. */
  private readonly traded = new Map<string, Sz>()

  constructor(instruments: readonly InputInstrument[]) {
    this.instruments = new Map(instruments.map((row) => [row.coin, row]))
  }

  observe(event: InputEvent): void {
    if (event.kind === 'account') this.tell(event.data)
    if (event.kind !== 'trade' || !event.data.users) return
    const row = this.instruments.get(event.coin)
    if (!row) return
    const sz = size(parse(event.data.sz, row.szDecimals))
    const [buyer, seller] = event.data.users
    if (buyer) this.note(buyer, event.coin, sz)
    if (seller) this.note(seller, event.coin, negate(sz))
  }

  result(): AccountOfTape[] {
    return [...this.accounts].map(([address, { told, positions }]) => ({
      address,
      told,
      positions: positions.filter(({ sz }) => sz !== ZERO),
      isNamed: this.named.has(address),
    }))
  }

  private note(user: string, coin: string, signed: Sz): void {
    const address = user.toLowerCase()
    this.named.add(address)
    const key = `${address} ${coin}`
    this.traded.set(key, add(this.traded.get(key) ?? ZERO, signed))
  }

  private tell(data: InputAccount): void {
    const { address, positions = [] } = data
    const known = this.accounts.get(address) ?? { told: [], positions: [] }
    this.accounts.set(address, known)
    known.told.push(data)
    for (const told of positions) {
      const row = this.instruments.get(told.coin)
      if (!row || known.positions.some((one) => one.told.coin === told.coin)) continue
      const isShort = told.szi.startsWith('-')
      const sz = size(parse(isShort ? told.szi.slice(1) : told.szi, row.szDecimals))
      const traded = this.traded.get(`${address} ${told.coin}`) ?? ZERO
      known.positions.push({ told, sz: subtract(isShort ? negate(sz) : sz, traded) })
    }
  }
}
