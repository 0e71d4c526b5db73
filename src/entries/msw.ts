/** `tapewright/msw`: a sandbox behind the handlers of msw. */
export * from '../server/transport/msw/index.ts'
