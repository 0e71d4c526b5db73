/** `tapewright/control`: a typed client of the control plane. */
export * from '../control-client/control.ts'
