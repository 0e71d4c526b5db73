/** `tapewright/browser`: a sandbox in a web page, without a server. */
export {
  type PocketSandbox,
  type PocketSandboxOptions,
  pocketSandbox,
} from '../browser/pocket-sandbox.ts'
export { UserError } from '../user-error.ts'
