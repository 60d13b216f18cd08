import styles from './composition.module.css';
import { useScreen } from './screen-context.ts';

interface TrendTableProps {
  steps: readonly { at: string; name: string; loads: number; failures: number; errors: number }[];
  names: { loads: string; failures: string; errors: string };
  label: string;
}

/** The chart as rows, newest first, without empty steps. */
export function TrendTable({ steps, names, label }: TrendTableProps) {
  const { t, formats } = useScreen();
  const reported = steps.filter(({ loads, failures, errors }) => loads + failures + errors > 0).reverse();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard
    <section className={styles.trendTable} tabIndex={0} aria-label={label}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t('chart.time')}</th>
            <th scope="col" className="right">
              {names.loads}
            </th>
            <th scope="col" className="right">
              {names.failures}
            </th>
            <th scope="col" className="right">
              {names.errors}
            </th>
          </tr>
        </thead>
        <tbody>
          {reported.map(({ at, name, loads, failures, errors }) => (
            <tr key={at}>
              <th scope="row">{name}</th>
              <td className="right">{formats.count(loads)}</td>
              <td className="right">{formats.count(failures)}</td>
              <td className="right">{formats.count(errors)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
