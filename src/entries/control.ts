/** `tapewright/control`: a typed client of the control plane. */
export * from '../clients/control/control.ts'
