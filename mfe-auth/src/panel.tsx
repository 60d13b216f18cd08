import { useTexts } from 'host/ui/screen.tsx';
import { type ComponentProps, useId } from 'react';
import { Link } from 'react-router-dom';
import styles from './login.module.css';
import { loginTexts } from './texts.ts';

interface PanelProps extends ComponentProps<'form'> {
  title: string;
  /** A line in English above the title. */
  above?: string;
  isBusy: boolean;
  /** Why the form was rejected, unless a field says so. */
  problem?: string | undefined;
}

/** A form on one side of /login. */
export function Panel({ title, above, isBusy, problem, className, children, ...form }: PanelProps) {
  const id = useId();
  return (
    <form
      className={`${styles.form} ${className ?? styles.signIn}`}
      aria-labelledby={id}
      aria-busy={isBusy || undefined}
      {...form}
    >
      <h1 id={id}>
        {above && <small lang="en">{above}</small>}
        {title}
      </h1>
      {problem && (
        <p className="field-note error" role="alert">
          {problem}
        </p>
      )}
      {children}
    </form>
  );
}

/** Link to ask without an account. */
export function GuestLink() {
  const t = useTexts(loginTexts);
  return (
    <p className={styles.aside}>
      {t('guestQuestion')}
      <Link to="/index">{t('asGuest')}</Link>
    </p>
  );
}
