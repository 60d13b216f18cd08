import { useTexts } from 'host/ui/screen.tsx';
import { Field } from './field.tsx';
import { loginTexts } from './texts.ts';

/** The input of a code, named `code`. */
export function CodeField({ problem }: { problem?: string }) {
  const t = useTexts(loginTexts);
  return (
    <Field
      label={t('code')}
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      {...(problem && { problem })}
    />
  );
}
