/**
 * The action map: every action that a level can grant (the service's documentation, Action map).
 */
import { CHANNELS, OPERATIONS } from './catalogue.ts'

/** Actions without present effect: a level may name them, and they grant nothing. */
export const RESERVED_ACTIONS: ReadonlySet<string> = new Set([
  'HL_INFO_META',
  'HL_INFO_SPOT_META',
  'HL_INFO_CLEARINGHOUSE_STATE',
  'HL_INFO_SPOT_CLEARINGHOUSE_STATE',
  'HL_INFO_OPEN_ORDERS',
  'HL_INFO_FRONTEND_OPEN_ORDERS',
  'HL_INFO_USER_FEES',
  'HL_INFO_USER_FILLS',
  'HL_INFO_USER_FILLS_BY_TIME',
  'HL_INFO_CANDLE_SNAPSHOT',
  'HL_INFO_PERP_DEXS',
  'HL_INFO_ACTIVE_ASSET_DATA',
  'HL_INFO_WEB_DATA2',
  'HL_INFO_HISTORICAL_ORDERS',
  'HL_INFO_USER_TWAP_SLICE_FILLS',
  'HL_INFO_ORDER_STATUS',
  'HL_INFO_USER_FUNDING',
  'HL_INFO_USER_NON_FUNDING_LEDGER_UPDATES',
])

/** The only resource type of a level. */
export const RESOURCE_TYPE = 'perpdex'

/** Every permission that an operation or channel requires, in the order of the contract. */
export const PERMISSIONS: readonly string[] = [
  ...new Set(
    [...OPERATIONS, ...CHANNELS].flatMap(({ access }) =>
      access.kind === 'permission' ? [access.name] : [],
    ),
  ),
]

/** The actions of `perpdex` that have an effect. */
export const ACTIVE_ACTIONS: readonly string[] = PERMISSIONS.filter((name) =>
  name.startsWith('HL_'),
)

/** The permissions that open a data endpoint: others open sockets only. */
export const DATA_PERMISSIONS: readonly string[] = PERMISSIONS.filter((name) =>
  OPERATIONS.some(({ access }) => access.kind === 'permission' && access.name === name),
)

/** The actions that a level may name. */
export const ACTIONS: ReadonlySet<string> = new Set([...ACTIVE_ACTIONS, ...RESERVED_ACTIONS])
