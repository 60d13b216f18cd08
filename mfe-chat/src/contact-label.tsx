import type { Contact } from 'api/contract';

/** What a contact is called: by its name, else by its id. */
export function nameOf({ id, name }: Contact): string {
  return name || id;
}

/** An id as it is read aloud: a mobile number in groups of 3, 4 and 4, which is for the eye alone. */
export function ContactId({ id, className }: { id: string; className?: string | undefined }) {
  const groups = /^(1\d{2})(\d{4})(\d{4})$/.exec(id)?.slice(1) ?? [id];
  return (
    <span className={`num ${className ?? ''}`}>
      {groups.map((group, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a number's groups have no other name
        <span key={at} data-group={at || undefined}>
          {group}
        </span>
      ))}
    </span>
  );
}
