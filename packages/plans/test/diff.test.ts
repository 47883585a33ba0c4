// The rules of plans as one table: what is wanted | recorded | there | what follows | what is left over.
// The words are those of sides.ts. `a` is a post in Lyon on Facebook at nine with the text "Un". No mock, no disk, no client.
import { describe, expect, it } from 'vitest';
import type { Action } from '../src/actions.js';
import { intentOf } from '../src/diff.js';
import { digestsOf } from '../src/digests.js';
import { lostOrphans } from '../src/left-overs.js';
import { changedByHand, doubtsOf, postsOf } from '../src/posts-seen.js';
import { creating } from '../src/tasks.js';
import { followsFor, NOW, rowsOf, saidOf, sidesOf } from './sides.js';

/** What is intended of it before anything is read. What is gone, taken over, or made twice, shows later. */
const INTENT = /^(?<same>create|update|replace)|^(look up|ask|refuse (already_done|key_of_another_plan))/;

const said: string[] = [];

function table(sentence: string, rows: string): void {
  describe(sentence, () => {
    it.each(rowsOf(rows))('%s', (_, [wanted = '', recorded = '', there = '', step = '', left = '']) => {
      const sides = sidesOf(wanted, recorded, there);
      expect(followsFor(sides)).toEqual({ step, left });
      const known = INTENT.exec(step);
      const [action] = sides.plan.actions as [Action];
      if (known && !/→|#1,2/.test(left + recorded))
        expect(intentOf(action, sides.recorded.get(action.key))).toBe(known.groups?.same ?? 'other');
    });
    said.push(`${sentence}:`, ...rowsOf(rows).flatMap(saidOf));
  });
}

table(
  'Three sides: what is wanted, what is recorded, what is there',
  `
  nothing is there                        | a               |              |                 | create
  it is there as it is wanted             | a               | a#1          | 1               | nothing
  it did not happen                       | a               | a            |                 | create
  another text                            | a Deux          | a#1          | 1               | update 1: content
  another moment                          | a 10:00         | a#1          | 1               | update 1: scheduled_at
  another text and moment                 | a Deux 10:00    | a#1          | 1               | update 1: content, scheduled_at
  a text that differs in its capitals     | a UN            | a#1          | 1               | update 1: content
  a picture more                          | a image         | a#1          | 1               | replace 1: image_url
  a picture less                          | a               | a#1 image    | 1               | replace 1: image_url
  another text and a picture              | a Deux image    | a#1          | 1               | replace 1: content, image_url
  a platform more                         | a fg            | a#1          | 1               | replace 1: platforms
  a platform less                         | a               | a#1 fg       | 1 fg            | replace 1: platforms
  the moment of one platform              | a f@10:00       | a#1          | 1               | replace 1: scheduled_facebook
  no moment any more                      | a undated       | a#1          | 1               | replace 1: scheduled_at
  another location                        | a metz          | a#1          | 1 unlisted      | replace 1: bulle_id
  another operation                       | a social        | a#1          | 1               | refuse already_done
  the same platforms in another order     | a gf            | a#1 fg       | 1 fg            | nothing
  the platforms in another order, as text | a platforms=gmb,facebook Deux | a#1 platforms=facebook,gmb | 1 fg | update 1: content
  the same, and another text              | a gf Deux       | a#1 fg       | 1 fg            | update 1: content
  another one of several pictures         | a image_urls=https://x.test/1,https://x.test/2 | a#1 image_urls=https://x.test/1,https://x.test/3 | 1 | replace 1: image_urls
  the same moment in another zone         | a 10:00+01:00   | a#1          | 1               | nothing
  the same moment with fractions          | a 09:00:00.000  | a#1          | 1               | nothing
  a list lacks it, and GET shows it       | a Deux          | a#1          | 1 unlisted      | update 1: content
`,
);

table(
  'An entry belongs to the plan whose name made it',
  `
  the same action is done                 | a               | a#1 by:paques           | 1        | nothing
  and free if what it made is gone        | a               | a#1 by:paques           | 1 404    | free → create
  another text is refused                 | a Deux          | a#1 by:paques           | 1        | refuse key_of_another_plan
  another moment                          | a 10:00         | a#1 by:paques           | 1        | refuse key_of_another_plan
  another operation                       | a social        | a#1 by:paques           | 1        | refuse key_of_another_plan
  another text of what has failed         | a Deux --retry-failed | a#1 by:paques     | 1 failed:f | refuse key_of_another_plan
  another text of what is lost            | a Deux          | a by:paques lost        |          | refuse key_of_another_plan
  the same action that is lost            | a               | a by:paques lost        |          | look up
  anything, if nothing was made           | a Deux          | a by:paques             |          | create
  an entry of no plan is everybody's      | a Deux          | a#1 by:-                | 1        | update 1: content
  a plan without a name corrects all      | a Deux --no-name | a#1                    | 1        | update 1: content
`,
);

table(
  'Same text, same minute: a twin, whatever key, plan or person made it',
  `
  of a person                             | a               |                | 1               | refuse twin
  unless again                            | a --again       |                | 1               | create
  of another plan that the journal knows  | a               | b#1 by:paques  | 1               | refuse twin
  of no plan                              | a               | old#1 by:-     | 1               | refuse twin
  under a key that the plan has no more   | a               | old#1          | 1               | refuse twin | old (a): refuse left_over
  that is online                          | a               |                | 1 online        | refuse twin
  some seconds later                      | a               |                | 1 09:00:30      | refuse twin
  an hour later                           | a               |                | 1 10:00         | create
  on one of its platforms                 | a fg            |                | 1               | refuse twin
  on more platforms                       | a               |                | 1 fg            | refuse twin
  on another platform                     | a               |                | 1 g             | create
  at another location                     | a               |                | 1 metz          | create
  with another text                       | a               |                | 1 Deux          | create
  with other spaces and capitals          | a Un_deux       |                | 1 UN__DEUX_     | refuse twin
  that failed on the shared platform      | a               |                | 1 failed:f      | create
  that failed on one of two               | a fg            |                | 1 fg error:f    | refuse twin
  at the moment of the platform           | a f@10:00       |                | 1 10:00         | refuse twin
  not at the moment of another one        | a f@10:00       |                | 1               | create
  without a moment, made today            | a undated       |                | 1 created:-60   | refuse twin
  without a moment, made long ago         | a undated       |                | 1 created:-3000 | create
  for a key of one location               | a nowhere       |                | 1 nowhere       | refuse twin
  before a correction of the text         | a Deux          | a#1            | 1; 2 Deux       | refuse twin
  before a correction of the moment       | a 10:00         | a#1            | 1; 2 10:00      | refuse twin
  before a replacement                    | a fg            | a#1            | 1; 2 g          | refuse twin
  a correction with again                 | a Deux --again  | a#1            | 1; 2 Deux       | update 1: content
  of what was moved onto it               | a 10:00 --prune | old#1          | 1; 2 10:00      | refuse twin | old → a
  not the post that is corrected          | a image         | a#1            | 1               | replace 1: image_url
  two equal actions of a plan are meant   | a; b            | b#1            | 1               | create
  what another key made, and cannot change | a; b Deux      | b#1            | 1 online        | refuse twin
  what another key made, and is to change | a; b Deux       | b#1            | 1               | create
  two posts of one key, on one platform   | a               | a#1,2          | 1; 2            | refuse twin
  two equal actions, both made            | a; b            | a#1; b#2       | 1; 2            | nothing
  not the own lost post of a killed plan  | a; b            | b lost         | 1               | create
  but another one beside it               | a; b            | b lost         | 1; 2            | refuse twin
  a publication has none in the list      | a social        |                | 1               | create
  a publication of another key, today     | a social        | old#1 social made:-60 | 1 social online | refuse twin
  of another plan                         | a social        | old#1 social made:-60 by:paques | 1 social online | refuse twin
  that has failed                         | a social        | old#1 social made:-60 | 1 social failed:f | create
  that has failed here, and is online there | a social fg   | old#1 social fg made:-60 | 1 social fg failed:f online:g | refuse twin
  that is gone                            | a social        | old#1 social made:-60 | 1 404    | refuse may_be_online
  that is gone before its moment          | a social 10:00  | old#1 social 10:00 | 1 404       | create
  a publication whose response had no id  | a social        | old# social made:-60 |           | refuse twin
  unless again                            | a social --again | old#1 social made:-60 |         | create
  a publication of another key, long ago  | a social        | old#1 social made:-3000 |        | create
  with another text                       | a social Deux   | old#1 social made:-60 |          | create
  on another platform                     | a social g      | old#1 social made:-60 |          | create
  at another location                     | a social metz   | old#1 social made:-60 |          | create
  a publication of a key of the plan      | a social; b social | b#1 social made:-60 |         | create
  that wants another one now              | a social; b social Deux | b#1 social made:-60 | 1 social online | refuse twin
  whose publication may have happened     | a social -60; b social Deux | b lost social -60 |       | refuse unknown_outcome
  a publication with the same moment      | a social -60    | old#1 social -60 | 1 social -60 online | refuse twin
  a publication with another moment       | a social        | old#1 social -60 made:-60 |      | create
  a publication that may have happened    | a social -60    | old lost social -60 |            | refuse unknown_outcome
  what was online then, with another text | a Deux -60      | old#1 -60      | 1 -60 online    | refuse already_online
  the same, published early               | a Deux          | old#1          | 1 online        | refuse already_online
  the same, unless again                  | a Deux -60 --again | old#1 -60   | 1 -60 online    | create
  online then, on another platform        | a Deux g -60    | old#1 -60      | 1 -60 online    | create
  online then, failed here                | a f Deux        | old#1 fg       | 1 fg failed:f online:g | create
  online then, of another plan            | a Deux -60      | old#1 -60 by:paques | 1 -60 online | create
  gone after its moment, under another key | a -60          | old#1 -60      | 1 404           | refuse may_be_online
  of another plan                         | a -60           | old#1 -60 by:paques | 1 404      | refuse may_be_online
  gone before its moment                  | a               | old#1          | 1 404           | create
  gone after its moment, with another text | a Deux -60     | old#1 -60      | 1 404           | refuse may_be_online
  published at once, and gone             | a undated now   | old#1 undated now made:-60 | 1 404 | refuse may_be_online
  published at once, and another text     | a undated now Deux | old#1 undated now made:-60 | 1 404 | create
  again, but not where it was seen        | a fg -60 --again | old#1 fg -60 online:f | 1 404   | create on gmb
  again, but it was seen everywhere       | a -60 --again   | old#1 -60 online:f | 1 404       | refuse may_be_online
  again, a publication                    | a social fg --again | old#1 social fg made:-60 online:f | 1 404 | create on gmb
  again, of what is still online          | a --again       | old#1 online:f | 1 online        | create
  of a key whose post no list has         | a               | old#1          | 1 unlisted      | refuse twin | old (a): refuse left_over
  that another run may be making          | a               | old by:paques busy |             | wait
  that another run made, or not           | a               | old by:paques killed |           | create
  gone after its moment, moved            | a +60           | old#1 -60      | 1 404           | refuse may_be_online
  gone after its moment, moved far away   | a               | old#1 -60      | 1 404           | create
  failed here, online there, moved        | a fg +60        | old#1 fg -60   | 1 fg -60 failed:f online:g | refuse already_online
  failed here, online there, moved to here | a f +60        | old#1 fg -60   | 1 fg -60 failed:f online:g | create
  online, moved on that day               | a +60           | old#1 -60      | 1 -60 online    | refuse already_online
  online, moved on that day, of another plan | a +60        | old#1 -60 by:paques | 1 -60 online | create
  online, the same text next morning      | a +840          | old#1 -60      | 1 -60 online    | create
  online, and a later one is corrected    | a +60           | a#2 +90; old#1 -60 | 1 -60 online; 2 +90 | update 2: scheduled_at
  online, and a later one is gone, and free | a +90         | a#2 +90; old#1 -60 | 1 -60 online; 2 404 | free → create
`,
);

table(
  'What is pending under this name and not in the plan any more is refused',
  `
  moved                                   | a 10:00         | old#1          | 1               | create | old (a): refuse left_over
  reworded                                | a Deux          | old#1          | 1               | create | old (a): refuse left_over
  neither                                 | a Deux 10:00    | old#1          | 1               | create | old: refuse left_over
  moved, and on a platform more           | a fg 10:00      | old#1          | 1               | create | old (a): refuse left_over
  the same text on another platform       | a g 10:00       | old#1          | 1               | create | old: refuse left_over
  the same text at another location       | a metz          | old#1          | 1               | create | old: refuse left_over
  beside keys that are done               | a               | a#1; old#2     | 1; 2 10:00      | nothing | old: refuse left_over
  that is due in a minute                 | a Deux          | old#1 +1       | 1 +1            | create | old: refuse left_over
  failed here, pending there              | a Deux 10:00    | old#1 fg       | 1 fg error:f    | create | old: refuse left_over
  that names no platform                  | a Deux 10:00    | old#1          | 1 undated unnamed | create | old: refuse left_over
  that no list shows                      | a Deux 10:00    | old#1          | 1 unlisted      | create | old: refuse left_over
  two posts of one key, one in no list    | a Deux 10:00    | old#1,2 fg     | 1 404; 2 g unlisted | create | old: refuse left_over
  online here, pending there              | a Deux 10:00    | old#1 fg       | 1 fg online:f   | create | old: refuse left_over
  not what is online                      | a Deux 10:00    | old#1          | 1 online        | create
  not what has failed                     | a Deux          | old#1          | 1 failed:f      | create
  not what is gone                        | a Deux          | old#1          | 1 404           | create
  not what was deleted                    | a Deux          | old            |                 | create
  not that of another plan                | a Deux          | old#1 by:paques | 1              | create
  not that of no plan                     | a Deux          | old#1 by:-     | 1               | create
  not a publication without a moment      | a Deux          | old#1 social   |                 | create
  a publication that is still to come     | a social Deux 10:00 | old#1 social 10:00 | 1 social 10:00 | create | old (a): refuse left_over
  a publication, and a post               | a Deux 10:00    | old#1 social 10:00 | 1 social 10:00 | create | old: refuse left_over
  not a publication that is online        | a Deux          | old#1 social 10:00 | 1 social 10:00 online | create
  not a publication that is gone          | a Deux          | old#1 social 10:00 | 1 404       | create
  not a publication whose moment has come | a Deux          | old#1 social -60 |               | create
  not what the plan does not cover        | a Deux --covers metz | old#1     | 1               | create
  but what it covers                      | a Deux --covers metz,lyon | old#1 | 1              | create | old (a): refuse left_over
  not what keeps its key                  | a Deux; old     | old#1          | 1               | create
`,
);

table(
  'prune adopts what is the same, corrects what was moved or reworded, and deletes the rest',
  `
  the same post under another key         | a --prune       | old#1          | 1               | nothing | old → a
  the same post, online                   | a --prune       | old#1          | 1 online        | nothing | old → a
  the same words without a moment, online | a undated --prune | old#1 undated made:-3000 | 1 undated online created:-3000 | create
  the same post, half online              | a fg --prune    | old#1 fg       | 1 fg online:f   | nothing | old → a
  the same post, due in a minute          | a +1 --prune    | old#1 +1       | 1 +1            | nothing | old → a
  the same post, half failed              | a fg --prune    | old#1 fg       | 1 fg error:f    | refuse failed | old → a
  moved                                   | a 10:00 --prune | old#1          | 1               | update 1: scheduled_at | old → a
  reworded                                | a Deux --prune  | old#1          | 1               | update 1: content | old → a
  moved, with a picture                   | a 10:00 image --prune | old#1    | 1               | replace 1: scheduled_at, image_url | old → a
  neither                                 | a Deux 10:00 --prune | old#1     | 1               | create | old: delete 1
  a publication that was moved            | a social 10:00 --prune | old#1 social 09:00 | 1 social 09:00 | create | old (a): refuse left_over
  the same publication under another key  | a social 09:00 --prune | old#1 social 09:00 | 1 social 09:00 | nothing | old → a
  neither, due in a minute                | a Deux --prune  | old#1 +1       | 1 +1            | create | old: refuse already_online
  neither, due by the latest clock        | a Deux --prune --ahead 9 | old#1 +10 | 1 +10       | create | old: refuse already_online
  moved, due in a minute                  | a 10:00 --prune | old#1 +1       | 1 +1            | create | old (a): refuse already_online
  neither, half online                    | a Deux 10:00 --prune | old#1 fg  | 1 fg online:f   | create | old: refuse already_online
  moved, half online                      | a fg 10:00 --prune | old#1 fg    | 1 fg online:f   | create | old (a): refuse already_online
  not what the plan does not cover        | a Deux --prune --covers metz | old#1 | 1           | create
  not that of another plan                | a Deux --prune  | old#1 by:paques | 1              | create
  a twin before what was moved            | a; c Trois --prune | o1#1 10:00; o2#2 | 1 10:00; 2 | nothing | o1: delete 1; o2 → a
  two that were moved, each to its own    | a 10:00; b Deux 10:00 --prune | o1#1; o2#2 Deux | 1; 2 Deux | update 1: scheduled_at | o1 → a; o2 → b
  rewritten by hand, so that nothing fits | a 10:00 --prune | old#1          | 1 Autre         | create | old: delete 1
  a lost correction of it                 | a Deux 10:00 --prune | old#1 lost:update Trois | 1  | create | old: delete 1
`,
);

table(
  'If several fit, it is refused until there are keys, unless keep',
  `
  two actions                             | a 10:00; b 11:00         | old#1            | 1          | create | old (several): refuse left_over
  two actions, with prune                 | a 10:00; b 11:00 --prune | old#1            | 1          | create | old (several): refuse left_over
  two left-overs                          | a 11:00                  | o1#1; o2#2 10:00 | 1; 2 10:00 | create | o1 (several): refuse left_over; o2 (several): refuse left_over
  two left-overs, with prune              | a 11:00 --prune          | o1#1; o2#2 10:00 | 1; 2 10:00 | create | o1 (several): refuse left_over; o2 (several): refuse left_over
  two actions, and one has its key        | a 10:00; old 11:00       | old#1            | 1          | create
  two actions, with keep                  | a 10:00; b 11:00 --keep  | old#1            | 1          | create | old (several): keep
  keep                                    | a 10:00 --keep           | old#1            | 1          | create | old (a): keep
  a publication, with keep                | a --keep                 | old#1 social 10:00 | 1 social 10:00 | create | old: keep
  keep of a twin, which is refused        | a --keep                 | old#1            | 1          | refuse twin | old (a): keep
`,
);

table(
  'A plan without a name knows only what one of its actions seems to replace, and deletes nothing',
  `
  moved                                   | a 10:00 --no-name          | old#1 by:-      | 1          | create | old (a): refuse left_over
  reworded                                | a Deux --no-name           | old#1 by:-      | 1          | create | old (a): refuse left_over
  neither                                 | a Deux 10:00 --no-name     | old#1 by:-      | 1          | create
  neither, with prune                     | a Deux 10:00 --no-name --prune | old#1 by:-  | 1          | create
  moved, of a plan with a name            | a 10:00 --no-name          | old#1           | 1          | create
  where all keys are done                 | a --no-name                | a#1; old#2 by:- | 1; 2 10:00 | nothing
`,
);

it.each<[kept: number, left: number, options: string, step: string, there?: string, publications?: number]>([
  [5, 6, '', 'refuse mass_deletion'],
  [5, 6, '', 'refuse mass_deletion', ' unlisted'],
  [6, 6, '', 'delete'],
  [6, 6, '', 'delete', ' unlisted'],
  [0, 10, '', 'delete'],
  [0, 11, '', 'refuse mass_deletion'],
  [0, 11, '--allow-mass-deletion', 'delete'],
  [3, 12, '', 'refuse mass_deletion', '', 12],
])(
  'More than half of more than ten pending posts are deleted only with allowMassDeletion: %i kept, %i left over %s',
  (kept, left, options, step, there = '', publications = 0) => {
    const others = Array.from({ length: publications }, (_, index) => `p${index}`);
    const all = Array.from({ length: kept + left }, (_, index) => `Texte_${index} +${1_000 * (index + 1)}`);
    const listed = (head: (index: number) => string) => all.map((one, index) => `${head(index)} ${one}`);
    const wanted = [
      ...listed((index) => `k${index}`).slice(0, kept),
      'new Autre',
      ...others.map((key) => `${key} social +9000`),
    ].join('; ');
    const sides = sidesOf(
      `${wanted} --prune ${options}`,
      [...listed((index) => `k${index}#${index}`), ...others.map((key) => `${key}#${key} social +9000`)].join('; '),
      listed(String).join(`${there}; `) + there,
    );
    const lines = followsFor(sides).left.split('; ');
    expect(lines.map((line) => line.replace(/^k\d+: | \d+$/g, ''))).toEqual(Array(left).fill(step));
  },
);

table(
  'What failed is never done, and is published again on the failed platforms alone',
  `
  on its platform                         | a                       | a#1            | 1 failed:f             | refuse failed
  in error, without naming a platform     | a                       | a#1            | 1 failed               | refuse failed
  pending, with an error on its platform  | a                       | a#1            | 1 error:f              | refuse failed
  here, and online there                  | a fg                    | a#1 fg         | 1 fg failed:f online:g | refuse failed
  here, and pending there                 | a fg                    | a#1 fg         | 1 fg error:g           | refuse failed
  an old error of what is online          | a                       | a#1            | 1 online error:f       | nothing
  again on its platform                   | a --retry-failed        | a#1            | 1 failed:f             | retry on facebook
  again where it failed, online there     | a fg --retry-failed     | a#1 fg         | 1 fg failed:f online:g | retry on facebook
  again where it failed, pending there    | a fg --retry-failed     | a#1 fg         | 1 fg error:g           | retry on gmb
  again on both                           | a fg --retry-failed     | a#1 fg         | 1 fg failed            | retry on facebook, gmb
  again with a corrected text             | a fg Deux --retry-failed | a#1 fg        | 1 fg failed:f online:g | retry on facebook
  again, and on a platform more           | a fg --retry-failed     | a#1,2          | 1 failed:f; 2 failed:f | refuse already_done
  another post, where keys count rows     | a fg Deux 11:00 --retry-failed | a#1 fg  | 1 fg failed:f online:g | refuse already_online
  a corrected text alone sends nothing    | a Deux                  | a#1            | 1 failed:f             | refuse failed
  not where somebody has published it since | a fg -60 --retry-failed | a#1 fg -60   | 1 fg -60 failed:f online:g; 2 -5 online | refuse twin
  not where it is still to appear         | a -60 --retry-failed    | a#1 -60        | 1 -60 failed:f; 2 +60  | refuse twin
  unless again                            | a -60 --retry-failed --again | a#1 -60   | 1 -60 failed:f; 2 -5 online | retry on facebook
  a publication, too                      | a social -60 --retry-failed | a#1 social -60 | 1 social -60 failed:f; 2 -5 online | refuse twin
  which is looked up for a publication    | a social -60 --retry-failed --unread | a#1 social -60 | 1 social -60 failed:f | read posts lyon
  again after one of an earlier day       | a -60 --retry-failed    | a#1 -60        | 1 -60 failed:f; 2 -90 online | retry on facebook
  again beside another text               | a -60 --retry-failed    | a#1 -60        | 1 -60 failed:f; 2 Deux -5 online | retry on facebook
  again beside one that failed, too       | a -60 --retry-failed    | a#1 -60        | 1 -60 failed:f; 2 -5 failed:f | retry on facebook
  again on another platform               | a -60 --retry-failed    | a#1 -60        | 1 -60 failed:f; 2 g -5 online | retry on facebook
  again beside another row of the plan    | a -60; b +60 --retry-failed | a#1 -60; b#2 +60 | 1 -60 failed:f; 2 +60 | retry on facebook
  nothing has failed                      | a --retry-failed        | a#1            | 1                      | nothing
  on a platform that is not wanted now    | a g                     | a#1 fg         | 1 fg failed:f online:g | refuse already_online
  a publication                           | a social                | a#1 social     | 1 social failed:f      | refuse failed
  a publication that names no platform    | a social                | a#1 social     | 1 social failed unnamed | refuse failed
  a publication again where it failed     | a social fg --retry-failed | a#1 social fg | 1 social fg failed:f online:g | retry on facebook
  a publication that failed, seen online  | a social --retry-failed | a#1 social online:f | 1 social failed:f | nothing
  never again where it was seen online    | a --retry-failed        | a#1 online:f   | 1 failed:f             | nothing
  published again, on its way             | a                       | a#1,2          | 1 failed:f; 2          | nothing
  published again, online                 | a --retry-failed        | a#1,2          | 1 failed:f; 2 online   | nothing
  published again, failed again           | a                       | a#1,2          | 1 failed:f; 2 failed:f | refuse failed
  published again, failed again, again    | a --retry-failed        | a#1,2          | 1 failed:f; 2 failed:f | retry on facebook
  published again, the first one deleted  | a                       | a#1,2          | 1 404; 2               | nothing
  published again, then corrected         | a fg Deux               | a#1,2 fg       | 1 fg error:f; 2        | refuse already_done
`,
);

table(
  'What is gone frees its key only if its moment had not come',
  `
  before its moment                       | a               | a#1                 | 1 404    | free → create
  after its moment                        | a -60           | a#1 -60             | 1 404    | refuse may_be_online
  a minute before its moment              | a +1            | a#1 +1              | 1 404    | refuse may_be_online
  two minutes before its moment           | a +2            | a#1 +2              | 1 404    | refuse may_be_online
  three minutes before its moment         | a +3            | a#1 +3              | 1 404    | free → create
  by the clock that is ahead              | a +30 --ahead 29 | a#1 +30            | 1 404    | refuse may_be_online
  after the moment of one platform        | a fg g@-60      | a#1 fg g@-60        | 1 404    | refuse may_be_online
  undated, half an hour after             | a undated       | a#1 undated made:-30 | 1 404   | free → create
  undated, two hours after                | a undated       | a#1 undated made:-120 | 1 404  | refuse may_be_online
  published at once                       | a undated now   | a#1 undated now made:-1 | 1 404 | refuse may_be_online
  seen online before                      | a fg            | a#1 fg online:f     | 1 404    | refuse may_be_online
  again, after its moment                 | a -60 --again   | a#1 -60             | 1 404    | free → create
  again, only where it was not seen       | a fg --again    | a#1 fg online:f     | 1 404    | free → create on gmb
  again, seen everywhere                  | a fg --again    | a#1 fg online:fg    | 1 404    | free → refuse already_online
  settled as not_applied, seen there      | a fg            | a fg online:g       |          | create on facebook
  settled as not_applied, seen everywhere | a fg            | a fg online:fg      |          | refuse already_online
  seen on a platform not wanted now       | a               | a online:g          |          | create
  before its moment, with another text    | a Deux          | a#1                 | 1 404    | free → create
  after its moment, with another text     | a Deux -60      | a#1 -60             | 1 404    | refuse may_be_online
  after its moment, wanted later          | a               | a#1 -60             | 1 404    | refuse may_be_online
  and somebody has made it anew           | a               | a#1                 | 1 404; 2 | free → refuse twin
  a publication before its moment         | a social 10:00  | a#1 social 10:00    | 1 404    | free → create
  a publication without a moment          | a social        | a#1 social made:-10 | 1 404    | refuse may_be_online
  published again, and both are gone      | a fg -60        | a#1,2 fg -60        | 1 404; 2 404 | refuse may_be_online
`,
);

table(
  'What is due within two minutes, by the latest of the clocks, counts as online',
  `
  in three minutes                        | a Deux +3           | a#1 +3          | 1 +3       | update 1: content
  in one minute                           | a Deux +1           | a#1 +1          | 1 +1       | refuse already_online
  in two minutes                          | a Deux +2           | a#1 +2          | 1 +2       | refuse already_online
  a minute ago                            | a Deux -1           | a#1 -1          | 1 -1       | refuse already_online
  by the clock of the service             | a Deux +10 --ahead 9 | a#1 +10        | 1 +10      | refuse already_online
  moved away                              | a                   | a#1 +1          | 1 +1       | refuse already_online
  moved near                              | a +1                | a#1             | 1          | update 1: scheduled_at
  replaced                                | a +1 image          | a#1 +1          | 1 +1       | refuse already_online
  on one of its platforms                 | a fg Deux           | a#1 fg          | 1 fg g@+1  | refuse already_online
  as it is wanted                         | a +1                | a#1 +1          | 1 +1       | nothing
  moved by hand to a minute from now      | a Deux              | a#1             | 1 +1       | refuse already_online
`,
);

table(
  'What is online, or cannot be changed, is not corrected',
  `
  online                                  | a Deux              | a#1             | 1 online           | refuse already_online
  online, replaced                        | a image             | a#1             | 1 online           | refuse already_online
  online on one platform                  | a fg Deux           | a#1 fg          | 1 fg online:f      | refuse already_online
  on its way                              | a Deux              | a#1             | 1 status:publishing | refuse already_online
  in a state that nobody knows            | a Deux              | a#1             | 1 status:sending   | refuse already_online
  seen online, and shown as pending       | a fg image          | a#1 fg online:f | 1 fg               | refuse already_online
  scheduled, as the social routes say     | a Deux              | a#1             | 1 status:scheduled | update 1: content
  without an id in the journal            | a Deux              | a#              |                    | refuse already_done
  a publication                           | a social Deux       | a#1 social      |                    | refuse already_done
  the same publication                    | a social            | a#1 social      | 1 social online    | nothing
  that was seen online: nothing is read   | a social            | a#1 social online:f |                | nothing
  the title of an article                 | a article title=Blé | a#1 article     | 1 article draft    | update 1: title
  two fields of an article                | a article title=Blé category=Pains | a#1 article | 1 article draft | update 1: title, category
  a field that no update takes            | a article language=en | a#1 article   | 1 article draft    | refuse already_done
  a field that is left out                | a article           | a#1 article excerpt=Court | 1 article draft | refuse already_done
  an article that is online               | a article title=Blé | a#1 article     | 1 article published | refuse already_online
  an article that is on its way           | a article title=Blé | a#1 article     | 1 article publishing | refuse already_online
  the articles of two sites               | a article title=Blé | a#1,2 article   | 1 article draft    | refuse already_done
  the same article                        | a article           | a#1 article     | 1 article draft    | nothing
  an article that is corrected and gone   | a article title=Blé | a#1 article     | 1 404              | refuse may_be_online
  unless again                            | a article title=Blé --again | a#1 article | 1 404          | free → create
  a change with another text              | a change Deux       | a# change       |                    | create
  the same change                         | a change            | a# change       | 7                  | nothing
  of a post that has failed since         | a change            | a# change       | 7 failed:f         | refuse failed
  which no plan publishes again           | a change --retry-failed | a# change   | 7 failed:f         | refuse failed
  of a post that is gone since            | a change            | a# change       | 7 404              | refuse may_be_online
  of a post that the plan has deleted     | a change; b delete  | a# change; b# delete | 7 404         | nothing
  of a post of which a person has said that | a change          | a# change settled | 7 404            | nothing
  a change of another post                | a change post_id=8  | a# change       |                    | refuse already_done
`,
);

table(
  'What may have happened is looked up, waited for, or asked',
  `
  a lost post                             | a                       | a lost                     |               | look up
  with another text now                   | a Deux                  | a lost                     |               | look up
  that no list shows clearly              | a --unclear             | a lost                     |               | ask
  of a run that may still live            | a --unclear             | a busy                     |               | wait
  of a run that cannot live any more      | a --unclear             | a killed                   |               | ask
  of a run whose clocks disagreed         | a --unclear             | a unsure                   |               | wait
  a publication, which no read shows      | a social                | a lost social              |               | ask
  a publication of a run that may live    | a social                | a busy social              |               | wait
  another operation under its key         | a                       | a lost social              |               | ask
  answered with a preview                 | a                       | a previewed                |               | ask
  a lost retry                            | a fg --retry-failed     | a#1 fg lost f              | 1 fg failed:f online:g | look up
  a lost correction                       | a Deux                  | a#1 lost:update Deux       | 1             | update 1: content, scheduled_at
  a lost correction, taken back           | a                       | a#1 lost:update Deux       | 1             | update 1: content, scheduled_at
  the same, without a moment              | a undated Deux          | a#1 undated lost:update undated Deux | 1 undated | update 1: content
  taken back, while it may be on its way  | a                       | a#1 busy:update Deux       | 1             | wait
  the same, while it may be on its way    | a Deux                  | a#1 busy:update Deux       | 1             | update 1: content, scheduled_at
  that has arrived, and is online         | a Deux                  | a#1 lost:update Deux       | 1 Deux online | close → nothing
  that has not arrived, and is online     | a Deux                  | a#1 lost:update Deux       | 1 online      | close → refuse already_online
  the same, and another one is wanted now | a image                 | a#1 lost:update Deux       | 1 online      | close → refuse already_online
  a lost correction of what is gone       | a Deux                  | a#1 lost:update Deux       | 1 404         | free → create
  a lost deletion that has arrived        | a image                 | a#1 lost:delete            | 1 404         | free → create
  the same, whose moment has come since   | a image -60             | a#1 -60 lost:delete        | 1 404         | free → create
  a lost deletion that has not arrived    | a image                 | a#1 lost:delete            | 1             | replace 1: content, scheduled_at
  a lost deletion of what is online now   | a image                 | a#1 lost:delete            | 1 online      | close → refuse already_online
  a lost change                           | a change                | a lost change              |               | create
  a lost change, with another text        | a change Deux           | a lost change              |               | create
  the same, while it may be on its way    | a change Deux           | a busy change              |               | wait
  a lost change, and a deletion now       | a delete                | a lost change              |               | refuse already_done
  a lost correction of an article, and a field that no update takes | a article language=en | a#1 article lost:update article title=Blé | 1 article draft | refuse already_done
  a lost correction of an article, and a post now | a               | a#1 article lost:update article title=Blé | 1 article draft | refuse already_done
  a lost change, now of another post      | a change post_id=8      | a lost change              |               | refuse already_done
`,
);

table(
  'A review has one reply: what somebody has written is not replaced',
  `
  no reply yet                            | a reply         |                 | r1 reply           | create
  the same reply, of anybody              | a reply         |                 | r1 reply Un        | close → nothing
  in another form                         | a reply Un_deux |                 | r1 reply UN__DEUX_ | close → nothing
  another reply                           | a reply         |                 | r1 reply Deux      | refuse already_answered
  unless again                            | a reply --again |                 | r1 reply Deux      | create
  a review that the list does not show    | a reply         |                 | r2 reply Deux      | create
  a reply of the plan is not looked at    | a reply         | a# reply        | r1 reply Deux      | nothing
  a lost one is looked up                 | a reply         | a lost reply    | r1 reply Deux      | look up
`,
);

table(
  'A view of another location moves no post',
  `
  in the view of the location             | a --view                | a#1             | 1          | nothing
  in the view of another location         | a metz --view           | a#1             | 1          | refuse already_done
  a correction in that view               | a metz Deux --view      | a#1             | 1          | refuse already_done
`,
);

table(
  'Nothing is read that is not needed',
  `
  a post: those of its location           | a --unread                    |                 |   | read posts lyon
  for a key of one location               | a nowhere --unread            |                 |   | read posts
  a post that was made: the same          | a --unread                    | a#1             |   | read posts lyon
  again: nothing                          | a --again --unread            |                 |   | create
  a publication: nothing                  | a social --unread             |                 |   | create
  an article that was made: nothing       | a article --unread            | a#1 article     |   | nothing
  a post that was changed: itself         | a change --unread             | a# change       |   | read thing post 7
  an article that is corrected: itself    | a article title=Blé --unread  | a#1 article     |   | read thing article 1
  a post that its list lacks: itself      | a                             | a#1             |   | read thing post 1
  a reply: the reviews that get one       | a reply; b reply review_id=r2; c reply review_id=r3 --unread | b# reply review_id=r2 | | read reviews f r1,r3
  a left-over: what is pending            | a --unread                    | a#1; old#2      |   | read posts lyon | read pending
  that its list lacks: itself             | a                             | a#1; old#2      | 1 | nothing | read thing post 2
  unless its moment has passed            | a                             | a#1; old#2 -60  | 1 | nothing
  what the plan has is in no question     | a; b 10:00                    | a#1; b#2        | 1 | nothing
  a left-over: a publication              | a --unread                    | old#1 social 10:00 |   | read posts lyon | read thing social 1
`,
);

it.each(
  rowsOf(`
  that may be pending                   | a           | old lost                 | | old
  of a killed run                       | a           | old killed               | | old
  without an id in the journal          | a           | old#                     | | old
  whose moment has come long ago        | a           | old lost -60             | |
  of another plan                       | a           | old by:paques lost       | |
  that the plan still has               | a; old      | old lost                 | |
  that the plan does not cover          | a --covers metz | old lost             | |
  of no plan                            | a --no-name | old by:- lost            | |
  whose correction is lost: its id is known | a       | old#1 lost:update Deux   | |
  a publication, which is never pending | a           | old lost social          | |
`),
)(
  'A lost post that the plan no longer has must be found out: %s',
  (_, [wanted = '', recorded = '', there = '', expected = '']) => {
    expect(lostOrphans(sidesOf(wanted, recorded, there)).map(([key]) => key)).toEqual(
      expected.split(' ').filter(Boolean),
    );
  },
);

it.each(
  rowsOf(`
  that was due: now                     | a fg -60            | f  | | publish_now true
  that is to come: at its moment        | a fg                | f  | | scheduled_at 2026-12-22T09:00:00Z
  without a moment: in an hour          | a fg undated        | g  | |
  the moment of another one stays out   | a fg g@11:00        | f  | | scheduled_at 2026-12-22T09:00:00Z
  the moment of its own                 | a fg g@11:00        | g  | | scheduled_at 2026-12-22T09:00:00Z, scheduled_gmb 2026-12-22T11:00:00Z
  the moment of its own that has come   | a fg g@-60          | g  | | publish_now true
  of both, whose moments have come      | a fg -60            | fg | | publish_now true
  a publication that was due: now       | a social fg -60     | f  | |
  a publication that is to come         | a social fg 10:00   | f  | | scheduled_at 2026-12-22T10:00:00Z
`),
)('A retry is sent to the platforms that failed alone: %s', (_, [wanted = '', letters = '', , expected = '']) => {
  const [action] = sidesOf(wanted, '', '').plan.actions as [Action];
  const platforms = [...letters].map((letter) => (letter === 'f' ? 'facebook' : 'gmb'));
  const { params, sent, entry } = creating(action, undefined, { do: 'create', platforms, isRetry: true }, NOW);
  const others = (['facebook', 'gmb'] as const).filter(
    (name) => digestsOf(action).platforms?.includes(name) && !letters.includes(name.slice(0, 1)),
  );
  // Where it is not made because it was seen there, that is noted.
  const { online } = creating(action, undefined, { do: 'create', platforms }, NOW).entry;
  expect([entry.online, online]).toEqual([undefined, others.length > 0 ? others : undefined]);
  const moments = Object.entries(params).filter(([name]) => /^scheduled_|^publish_now/.test(name));
  expect(moments.map((one) => one.join(' ')).join(', ')).toBe(expected);
  expect(params.platforms).toEqual(platforms);
  expect(sent.wanted).toEqual(digestsOf(action));
});

it.each(
  rowsOf(`
  nothing                               | a             | a#1           | 1            |
  the text                              | a             | a#1           | 1 Autre      | changed_by_hand
  the text, as the plan now wants it    | a Deux        | a#1           | 1 Deux       | changed_by_hand
  the moment                            | a             | a#1           | 1 10:00      | changed_by_hand
  the moment of one platform            | a fg          | a#1 fg        | 1 fg g@10:00 | changed_by_hand
  the moment, which the plan leaves out | a undated     | a#1           | 1 10:00      | changed_by_hand
  its platforms                         | a fg          | a#1 fg        | 1            | changed_by_hand
  a platform more                       | a             | a#1           | 1 fg         | changed_by_hand
  a platform where it was online before | a fg          | a#1 fg online:g | 1          |
  that of a retry                       | a fg          | a#1,2 fg      | 1 fg; 2 g    |
  its picture                           | a image       | a#1 image     | 1            | changed_by_hand
  a picture more                        | a             | a#1           | 1 image      | changed_by_hand
  another picture                       | a image       | a#1 image     | 1 image_url=b.jpg | changed_by_hand
  the same picture                      | a image       | a#1 image     | 1 image      |
  a thumbnail, by the service           | a video_url=https://x.test/a.mp4 | a#1 video_url=https://x.test/a.mp4 | 1 video_url=https://x.test/a.mp4 image |
  the form of the text, by the service  | a Un_deux     | a#1 Un_deux   | 1 Un__deux_  |
  some seconds, by the service          | a             | a#1           | 1 09:00:30   |
  a lost correction is no hand          | a             | a#1 lost:update Deux | 1 Deux |
  a lost correction that did not arrive | a Deux        | a#1 lost:update Deux | 1      |
  the text, after a lost correction     | a Deux        | a#1 lost:update Deux | 1 Autre | changed_by_hand
  the moment, after a lost correction   | a 10:00       | a#1 lost:update 10:00 | 1 11:00 | changed_by_hand
  the text, after a lost deletion       | a image       | a#1 lost:delete | 1 Autre  | changed_by_hand
  the text, after a lost retry          | a fg          | a#1 fg lost f | 1 fg Autre  |
  of what is online, its moment         | a             | a#1           | 1 online     |
  another post within the hour          | a             |               | 1 Deux 09:30 | same_account
  an hour later                         | a             |               | 1 Deux 10:00 |
  on another platform                   | a             |               | 1 Deux g     |
  of the plan itself                    | a; b Deux 09:30 | b#1 Deux 09:30 | 1 Deux 09:30 |
  that is online                        | a             |               | 1 Deux 09:30 online | same_account
  the same text on that day             | a             |               | 1 12:00      | same_account
  the same text on that day, online     | a             |               | 1 12:00 online | same_account
  the same text a day later             | a             |               | 1 +44640     |
  that has failed                       | a             |               | 1 Deux 09:30 failed:f |
  a twin, which is refused              | a             |               | 1            |
  an hour ago, and this one now         | a undated now |               | 1 Deux -50 online | same_account
  two hours ago, and this one now       | a undated now |               | 1 Deux -120 online |
  a review that the list does not show  | a reply       |               | r2 reply     | review_not_seen
  one that it shows                     | a reply       |               | r1 reply     |
  with again                            | a reply --again |             | r2 reply     |
  an immediate post of this hour        | a undated now Deux | old#1 undated now made:-50 | | made_before
  one of two hours ago                  | a undated now Deux | old#1 undated now made:-120 | |
  a publication, corrected              | a social Deux | old#1 social made:-50 | | made_before
  an article                            | a article title=Blé | old#1 article made:-60 | | made_before
  an article of a key that the plan has | a article title=Blé; old article | old#1 article made:-60 | |
  an article made two days ago          | a article title=Blé | old#1 article made:-2900 | |
  an article elsewhere                  | a article title=Blé bulle_id=metz | old#1 article made:-60 | |
  an article of another plan            | a article title=Blé | old#1 article by:paques made:-60 | |
  an article of no plan                 | a article title=Blé --no-name | old#1 article by:- made:-60 | |
  an article that was not made          | a article title=Blé | old article | |
  a post that is still to come          | a Deux 10:00  | old#1 undated now made:-60 | |
  a left-over                           | a undated now Deux | old#1 10:00 made:-60 | |
  what has come since                   | a undated now Deux | old#1 -30 made:-50 | | made_before
  a reply to another review             | a reply       | old# reply review_id=r2 made:-60 | r1 reply |
  what has changed already              | a article title=Blé | a#1 article; old#2 article made:-60 | |
`),
)(
  'What is changed by hand is told, what is near, and what may be there already: %s',
  (_, [wanted = '', recorded = '', there = '', expected = '']) => {
    const sides = sidesOf(wanted, recorded, there);
    const [action] = sides.plan.actions as [Action];
    const entry = sides.recorded.get('a');
    const found = [...changedByHand(action, entry, postsOf(action, entry, sides.there)), ...doubtsOf(action, sides)];
    expect(found.map(({ code }) => code).join(' ')).toBe(expected);
  },
);

it('says of every rule why a step is refused', async () => {
  await expect(`${said.join('\n')}\n`).toMatchFileSnapshot('./snapshots/rules.txt');
});
