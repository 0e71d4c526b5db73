import type { TapeMs } from '../../clock/instant.ts'
import type { AddressFill, UserFill } from '../../contract/records/fill.ts'
import { perWorld } from '../per-world.ts'
import { FILL_SELECT, FROM_FILLS, fillRecords, type WholeFill } from '../rows/fill-rows.ts'
import type { World } from '../world.ts'

/** A fill event; read and written out only when somebody is subscribed to the account. */
export class FillEvent {
  readonly kind = 'fill'
  private row: WholeFill | null = null
  private forAddress: AddressFill | null = null
  private forUser: UserFill | null = null

  constructor(
    private readonly world: World,
    private readonly id: number,
    readonly timeMs: TapeMs,
    readonly address: string,
  ) {}

  get fill(): AddressFill {
    this.forAddress ??= fillRecords(this.world).address(this.whole)
    return this.forAddress
  }

  get native(): UserFill {
    this.forUser ??= fillRecords(this.world).user(this.whole)
    return this.forUser
  }

  private get whole(): WholeFill {
    this.row ??= fillById(this.world).get(this.id) as WholeFill
    return this.row
  }
}

const fillById = perWorld(({ db }) =>
  FILL_SELECT.prepare<[id: number]>(db, `${FROM_FILLS} where f.id = ?`),
)
