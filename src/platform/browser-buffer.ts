/** Node's `Buffer` where there is none, for the bundle of the browser's worker. */
export { Buffer } from 'buffer'
