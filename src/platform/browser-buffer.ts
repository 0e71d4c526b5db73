/** Node's `Buffer`, for the bundle of the browser's worker. */
export { Buffer } from 'buffer'
