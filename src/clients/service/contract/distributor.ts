/** The operations of the group `distributor`. Written by `bun run generate`. */
// biome-ignore-all format: as it is generated
// biome-ignore-all assist/source/organizeImports: as it is generated
import type { CallGroup, CallOptions, NoInput } from '../requests/request.ts'
import type { InfoAnswer, InfoRequest, InfoTypeName } from './info.ts'
import type {
  LevelConfig,
  QuotaSummary,
  Registration,
} from './records.ts'

/** Requests of `distributor`. */
export interface DistributorCalls {
  /**
   * Delete a level. Removes its permissions and quota template; its sub keys may then call nothing.
   *
   * `DELETE /distributor/levels/:level`.
   */
  deleteLevel(input: {
    path: {
      /** name of the level: letters, digits, `_`, `.` and `-` */
      level: string
    }
  }, options?: CallOptions): Promise<undefined>

  /**
   * The distributor itself. Name, level and limits. The secret key is never shown again.
   *
   * `GET /distributor/info`.
   */
  info<T extends InfoTypeName>(
    input: { body: InfoRequest<T> },
    options?: CallOptions,
  ): Promise<InfoAnswer<T>>

  /**
   * A level. Quota template and permissions of the sub keys of a level.
   *
   * `GET /distributor/levels/:level`.
   */
  level(input: {
    path: {
      /** name of the level: letters, digits, `_`, `.` and `-` */
      level: string
    }
  }, options?: CallOptions): Promise<LevelConfig>

  /**
   * Names of the levels.
   *
   * `GET /distributor/levels`.
   */
  levels(input?: NoInput, options?: CallOptions): Promise<string[]>

  /**
   * Make or replace a level. Sub keys of the level use the new permissions and limits from the next
   * request on. A refused body changes nothing.
   *
   * `PUT /distributor/levels/:level`.
   */
  putLevel(input: {
    path: {
      /** name of the level: letters, digits, `_`, `.` and `-` */
      level: string
    }
    body: LevelConfig
  }, options?: CallOptions): Promise<undefined>

  /**
   * Requests of this month. The quota that is contracted, allocated to sub keys, used by them and
   * left, by calendar month.
   *
   * `GET /distributor/quota`.
   */
  quota(input?: NoInput, options?: CallOptions): Promise<QuotaSummary>

  /**
   * Register with an invite token. Makes a distributor with what the token presets: name, level,
   * sub key limit, monthly quota and socket limits. The token is used up; the secret key is shown
   * here only.
   *
   * `POST /distributor/register`.
   */
  register(input: {
    body: {
      /** one-time invite token */
      invite_token: string
    }
  }, options?: CallOptions): Promise<Registration>
}

/** How to ask for it. */
export const distributor: CallGroup<DistributorCalls> = {
  deleteLevel: 'DELETE /distributor/levels/:level changes',
  info: 'GET /distributor/info',
  level: 'GET /distributor/levels/:level',
  levels: 'GET /distributor/levels',
  putLevel: 'PUT /distributor/levels/:level body changes',
  quota: 'GET /distributor/quota',
  register: 'POST /distributor/register body changes',
}
