import { Bar, BarChart, CartesianGrid, Tooltip, type TooltipContentProps, XAxis, YAxis } from 'recharts';
import styles from './trend.module.css';

/** One step of time, as computed by the panel. */
interface TrendStep {
  at: string;
  /** Label below the bar. */
  tick: string;
  /** Full name, shown in the tooltip. */
  name: string;
  loads: number;
  failures: number;
  errors: number;
}

interface TrendProps {
  /** Unique in the page, for the pattern. */
  id: string;
  steps: TrendStep[];
  width: number;
  names: { loads: string; failures: string; errors: string };
  format(value: number): string;
}

const HEIGHT = { loads: 104, problems: 104 };

/** Number of loads over time. */
export function LoadsChart({ steps, width, names, format }: TrendProps) {
  return (
    <Frame steps={steps} width={width} height={HEIGHT.loads} format={format} names={names} shown={['loads']}>
      <Bar dataKey="loads" className={styles.loads ?? ''} maxBarSize={24} isAnimationActive={false} />
    </Frame>
  );
}

/** Failures over time: failed loads filled, errors hatched above them. */
export function ProblemsChart(props: TrendProps) {
  const { id } = props;
  return (
    <Frame {...props} height={HEIGHT.problems} shown={['failures', 'errors']}>
      <defs>
        <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path className={styles.ruling} d="M0 2.5h5" />
        </pattern>
      </defs>
      <Bar
        dataKey="failures"
        stackId="all"
        className={styles.failures ?? ''}
        maxBarSize={24}
        isAnimationActive={false}
      />
      <Bar
        dataKey="errors"
        stackId="all"
        className={styles.errors ?? ''}
        fill={`url(#${id})`}
        maxBarSize={24}
        isAnimationActive={false}
      />
    </Frame>
  );
}

type Measure = 'loads' | 'failures' | 'errors';

interface FrameProps extends Omit<TrendProps, 'id'> {
  height: number;
  shown: Measure[];
  children: React.ReactNode;
}

const LABEL = 48;

function Frame({ steps, width, height, format, names, shown, children }: FrameProps) {
  const ticks = new Map(steps.map(({ at, tick }) => [at, tick]));
  const most = Math.max(...steps.map((step) => shown.reduce((sum, measure) => sum + step[measure], 0)), 1);
  const lines = linesFor(most);
  const every = Math.max(1, Math.ceil(LABEL / (width / Math.max(1, steps.length))));
  return (
    <BarChart
      className={styles.chart ?? ''}
      width={width}
      height={height}
      data={steps}
      syncId="composition-trend"
      barCategoryGap="20%"
      margin={{ top: 6, right: 0, bottom: 0, left: 0 }}
      accessibilityLayer={false}
    >
      <CartesianGrid vertical={false} />
      <XAxis
        dataKey="at"
        interval={every - 1}
        tickLine={false}
        axisLine={false}
        height={22}
        tickMargin={4}
        tickFormatter={(at: string) => ticks.get(at) ?? ''}
      />
      <YAxis
        width={40}
        tickLine={false}
        axisLine={false}
        ticks={lines}
        domain={[0, lines.at(-1) ?? 1]}
        interval={0}
        tickFormatter={format}
      />
      <Tooltip
        content={(reported: TooltipContentProps) => (
          <Told {...reported} shown={shown} names={names} format={format} />
        )}
        cursor={{ className: styles.cursor ?? '' }}
        isAnimationActive={false}
      />
      {children}
    </BarChart>
  );
}

type ToldProps = TooltipContentProps & Pick<FrameProps, 'shown' | 'names' | 'format'>;

function Told({ active, payload, shown, names, format }: ToldProps) {
  const step = payload[0]?.payload as TrendStep | undefined;
  if (!active || !step) return null;
  return (
    <div className={styles.tooltip}>
      {shown.map((measure) => (
        <b key={measure}>{`${names[measure]} ${format(step[measure])}`}</b>
      ))}
      <span>{step.name}</span>
    </div>
  );
}

/** 0, and at most two round values up to `most` or above. */
function linesFor(most: number): number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(most / 2, 1)));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((value) => value * 2 >= most) ?? power;
  return most <= step ? [0, step] : [0, step, 2 * step];
}
