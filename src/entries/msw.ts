/** `tapewright/msw`: a sandbox behind the handlers of msw. */
export * from '../transport/msw/index.ts'
