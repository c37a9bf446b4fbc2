/** Type of observation. Labels and values are wire data, the questions are ours. */
export interface ObservationType {
  readonly id: number;
  readonly label: string;
  readonly question: string;
  /** True if a new value replaces the one before. */
  readonly isSingle: boolean;
  /** True if it was withdrawn: it stays for patrons who chose it, and cannot be chosen any more. */
  readonly isRetired: boolean;
  readonly values: readonly ObservationValue[];
}

export interface ObservationValue {
  readonly id: number;
  readonly name: string;
  readonly isRetired: boolean;
}

/** Creates a type. Values are written `<id>=<name>`, separated by semicolons. */
function defineType(
  id: number,
  label: string,
  spec: { question: string; live?: string; retired?: string; isSingle?: boolean },
): ObservationType {
  const { question, live = "", retired = "", isSingle = false } = spec;
  const values = [...parseValues(live, false), ...parseValues(retired, true)];
  return { id, label, question, isSingle, isRetired: live === "", values };
}

function parseValues(text: string, isRetired: boolean): ObservationValue[] {
  if (text === "") return [];
  return text.split("; ").map((part) => {
    const equals = part.indexOf("=");
    return { id: Number(part.slice(0, equals)), name: part.slice(equals + 1), isRetired };
  });
}

export const OBSERVATION_TYPES: readonly ObservationType[] = [
  defineType(1, "Pace", {
    question: "How fast does the book move?",
    live: "4=Slow paced; 5=Medium paced; 6=Fast paced; 7=Meandering",
    retired: "1=Slow; 2=Medium; 3=Fast",
  }),
  defineType(2, "Enjoyability", {
    question: "How much did you enjoy reading it?",
    live: "3=Boring; 7=Engaging; 8=Exciting; 9=Neutral",
    retired:
      "1=Not applicable; 2=Very boring; 4=Neither entertaining nor boring; 5=Entertaining; 6=Very entertaining",
  }),
  defineType(3, "Clarity", {
    question: "How clearly is it written and put together?",
    live:
      "6=Succinct; 7=Dense; 8=Incomprehensible; 9=Confusing; 10=Clearly written; 11=Effective explanations; " +
      "12=Well organized; 13=Disorganized",
    retired: "1=Not applicable; 2=Very unclearly; 3=Unclearly; 4=Clearly; 5=Very clearly",
  }),
  defineType(4, "Jargon", {
    question: "How technical is the language?",
    isSingle: true,
    retired: "1=Not applicable; 2=Not technical; 3=Somewhat technical; 4=Technical; 5=Very technical",
  }),
  defineType(5, "Originality", {
    question: "How original is it?",
    isSingle: true,
    retired:
      "1=Not applicable; 2=Very unoriginal; 3=Somewhat unoriginal; 4=Somewhat original; 5=Very original",
  }),
  defineType(6, "Difficulty", {
    question: "Which readers is it written for?",
    live: "6=Beginner; 7=Intermediate; 8=Advanced; 9=Expert; 10=University; 11=Layman; 12=Juvenile",
    retired:
      "1=Not applicable; 2=Requires domain expertise; 3=A lot of prior knowledge needed; " +
      "4=Some prior knowledge needed; 5=No prior knowledge needed",
  }),
  defineType(7, "Usefulness", {
    question: "How useful is it?",
    isSingle: true,
    retired: "1=Not applicable; 2=Not useful; 3=Somewhat useful; 4=Useful; 5=Very useful",
  }),
  defineType(8, "Breadth", {
    question: "How widely and how deeply does it treat its subject?",
    live:
      "7=Comprehensive; 8=Not comprehensive; 9=Focused; 10=Interdisciplinary; 11=Extraneous; 12=Shallow; " +
      "13=Introductory",
    retired:
      "1=Not applicable; 2=Much more deep; 3=Somewhat more deep; 4=Equally broad and deep; 5=Somewhat more broad; " +
      "6=Much more broad",
  }),
  defineType(9, "Objectivity", {
    question: "Did you find errors or bias in it?",
    retired:
      "1=Not applicable; 2=No, it seems accurate; 3=Yes, it needs citations; 4=Yes, it is inflammatory; " +
      "5=Yes, it has typos; 6=Yes, it is inaccurate; 7=Yes, it is misleading; 8=Yes, it is biased",
  }),
  defineType(10, "Genres", {
    question: "Which genres does it belong to?",
    live:
      "1=Sci-fi; 3=Satire; 4=Poetry; 5=Memoir; 6=Paranormal; 7=Mystery; 8=Humor; 9=Horror; 10=Fantasy; 11=Drama; " +
      "12=Crime; 13=Graphical; 14=Classic; 15=Anthology; 16=Action; 17=Romance; 18=How-to; 19=Encyclopedia; " +
      "20=Dictionary; 21=Technical; 22=Reference; 23=Textbook; 24=Biographical; 25=Fiction; 26=Nonfiction; " +
      "27=Biography; 28=Based on a true story; 29=Exploratory; 30=Research; 31=Philosophical; 32=Essay; 33=Review",
    retired: "2=Philosophy",
  }),
  defineType(11, "Fictionality", {
    question: "Is it made up, or did it happen?",
    isSingle: true,
    retired: "1=Nonfiction; 2=Fiction; 3=Biography",
  }),
  defineType(12, "Audience", {
    question: "For what age is it written?",
    retired: "1=Experts; 2=College; 3=High school; 4=Elementary; 5=Kindergarten; 6=Baby; 7=General audiences",
  }),
  defineType(13, "Mood", {
    question: "What mood does it put you in?",
    live:
      "1=Scientific; 2=Dry; 3=Emotional; 4=Strange; 5=Suspenseful; 6=Sad; 7=Dark; 8=Lonely; 9=Tense; 10=Fearful; " +
      "11=Angry; 12=Hopeful; 13=Lighthearted; 14=Calm; 15=Informative; 16=Ominous; 17=Mysterious; 18=Romantic; " +
      "19=Whimsical; 20=Idyllic; 21=Melancholy; 22=Humorous; 23=Gloomy; 24=Reflective; 25=Inspiring; 26=Cheerful",
  }),
  defineType(14, "Impressions", {
    question: "What do you say of it to others?",
    live:
      "1=Recommend; 2=Highly recommend; 3=Don't recommend; 4=Field defining; 5=Actionable; 6=Forgettable; " +
      "7=Quotable; 8=Citable; 9=Original; 10=Unremarkable; 11=Life changing; 12=Best in class; 13=Overhyped; " +
      "14=Underrated",
  }),
  defineType(15, "Type", {
    question: "What kind of book is it?",
    retired:
      "1=Fiction; 2=Nonfiction; 3=Biography; 4=Based on a true story; 5=Textbook; 6=Reference; 7=Exploratory; " +
      "8=Research; 9=Philosophical; 10=Essay; 11=Review; 12=Classic",
  }),
  defineType(16, "Length", { question: "How long is it?", live: "1=Short; 2=Medium; 3=Long" }),
  defineType(17, "Credibility", {
    question: "How far can it be believed?",
    live:
      "1=Accurate; 2=Inaccurate; 3=Outdated; 4=Evergreen; 5=Biased; 6=Objective; 7=Subjective; 8=Rigorous; " +
      "9=Misleading; 10=Controversial; 11=Trendy",
  }),
  defineType(18, "Features", {
    question: "What does it have beside its text?",
    live:
      "1=Tables, diagrams, and figures; 2=Problem sets; 3=Proofs; 4=Interviews; 5=Table of contents; " +
      "6=Illustrations; 7=Index; 8=Glossary; 9=Chapters; 10=Appendix; 11=Bibliography",
  }),
  defineType(19, "Content Warnings", {
    question: "What should a reader be warned of?",
    live:
      "1=Adult themes; 2=Trigger warnings; 3=Offensive language; 4=Graphic imagery; 5=Insensitivity; 6=Racism; " +
      "7=Sexual themes; 8=Drugs",
  }),
  defineType(20, "Style", {
    question: "What is special about the language?",
    live: "1=Technical; 2=Jargony; 3=Neologisms; 4=Slang; 5=Olde",
  }),
  defineType(21, "Purpose", {
    question: "What do you read it for?",
    live:
      "1=Entertainment; 2=Broaden perspective; 3=How-to; 4=Learn about; 5=Self-help; 6=Hope; 7=Inspiration; " +
      "8=Fact checking; 9=Problem solving",
  }),
];
