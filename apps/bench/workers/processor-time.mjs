/**
 * Milliseconds of processor time that this process has used, all threads, garbage collection and all. On an idle machine
 * that is what a clock shows; on a busy one it stays so, while a clock also counts the others.
 */
export function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
