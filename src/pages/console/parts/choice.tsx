/** A group of choices, one of which is selected. */
export interface ChoiceProps<T extends string> {
  /** Label for screen readers. */
  label: string
  options: readonly { value: T; text: string }[]
  value: T
  onPick(value: T): void
}

export function Choice<T extends string>({ label, options, value, onPick }: ChoiceProps<T>) {
  return (
    <fieldset class="choice" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onPick(option.value)}
        >
          {option.text}
        </button>
      ))}
    </fieldset>
  )
}
