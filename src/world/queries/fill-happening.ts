import type { AddressFill, UserFill } from '../../contract/records/fill.ts'
import type { World } from '../world.ts'
import { FILLS, type FillValues, fillWriter } from './fill-rows.ts'
import { perWorld } from './per-world.ts'

/** A fill that comes true; read and written out only when somebody follows the account. */
export class FillHappening {
  readonly kind = 'fill'
  private row: FillValues | null = null
  private forAddress: AddressFill | null = null
  private forUser: UserFill | null = null

  constructor(
    private readonly world: World,
    private readonly id: number,
    readonly timeMs: number,
    readonly address: string,
  ) {}

  get fill(): AddressFill {
    this.forAddress ??= fillWriter(this.world).address(this.values)
    return this.forAddress
  }

  get native(): UserFill {
    this.forUser ??= fillWriter(this.world).user(this.values)
    return this.forUser
  }

  private get values(): FillValues {
    this.row ??= byId(this.world).values(this.id)[0] as FillValues
    return this.row
  }
}

const byId = perWorld(({ db }) => db.prepare(`${FILLS} where f.id = ?`))
