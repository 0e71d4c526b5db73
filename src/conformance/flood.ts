import { UserError } from '../platform/user-error.ts'

/** More is said at once than is read: by an answer, or on a socket. */
export class Flood extends UserError {}
