import type { Translate } from 'host/contract';
import { type ComponentProps, useState } from 'react';
import { Field } from './field.tsx';
import type { LoginTexts } from './login-texts.ts';

interface PasswordFieldProps extends Omit<ComponentProps<typeof Field>, 'name' | 'type' | 'children'> {
  t: Translate<LoginTexts>;
}

/** The input of a password, named `password`, with a button that shows the characters. */
export function PasswordField({ t, ...field }: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <Field
      {...field}
      name="password"
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
    >
      <button
        className="button small bare"
        type="button"
        aria-label={t(isShown ? 'hideCharacters' : 'showCharacters')}
        onClick={() => setIsShown(!isShown)}
      >
        {t(isShown ? 'hide' : 'show')}
      </button>
    </Field>
  );
}
