/** `tapewright/browser`: a sandbox in a web page, without a server. */

export { UserError } from '../platform/user-error.ts'
export {
  type PocketSandbox,
  type PocketSandboxOptions,
  pocketSandbox,
} from '../server/browser/pocket-sandbox.ts'
