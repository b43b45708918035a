"""The words that the generated parts of a page need, in each language."""

WORDS = {
    "en": {
        "exercise": "Exercise", "exercises": "exercises", "one_exercise": "1 exercise", "starter": "The starter",
        "check_it": "Check it", "first_words": "What it says before you have begun", "hint": "Hint", "solution": "One way to write it", "mistakes": "What goes wrong here, and what the check says",
        "before_solution": "Yours passes? Then compare. The workbook shows this file by itself once it does.",
        "time_bound": "Time bound", "also": "also", "somebody": "What somebody wrote", "told": "What they are told",
        "chapter": "Chapter", "minutes": "about {} minutes to read", "previous": "comes after", "map": "The path",
        "figure_code": "All numbers of this picture", "gpu_only": "needs a GPU",
        "mistakes_more": "Each of these is an answer in the workbook's tests: `./workbook verify {}` proves that its check tells it so.",
        "stale": "", "english_only": "", "answer": "Answer", "learn": "In this chapter", "questions": "Questions", "right": "Right.", "not_so": "No.", "read_more": "Read more", "with": "Measured against, or made with",
    },
    "ko": {
        "exercise": "연습", "exercises": "개 연습", "one_exercise": "연습 1개", "starter": "시작 파일",
        "check_it": "검사하기", "first_words": "시작하기 전에 하는 말 (영어)", "hint": "힌트", "solution": "한 가지 풀이", "mistakes": "여기서 자주 틀리는 것과, 검사가 하는 말",
        "before_solution": "통과했다면 비교해 보세요. 통과하면 워크북이 이 파일을 스스로 보여 줍니다.",
        "time_bound": "시간 한도", "also": "또한", "somebody": "이렇게 썼더니", "told": "이렇게 알려 줍니다",
        "chapter": "장", "minutes": "읽는 데 약 {}분", "previous": "앞선 장", "map": "길",
        "figure_code": "이 그림의 모든 수", "gpu_only": "GPU가 필요합니다",
        "mistakes_more": "모두 워크북의 테스트에 들어 있는 답입니다. `./workbook verify {}`가 검사가 이렇게 말함을 증명합니다. (문구는 영어로 나옵니다.)",
        "stale": "이 번역이 나온 뒤에 영어판이 바뀌었습니다. 다른 내용이 있으면 영어판이 맞습니다.",
        "english_only": "(영어)", "answer": "답", "learn": "이 장에서", "questions": "물음", "right": "맞습니다.", "not_so": "아닙니다.", "read_more": "더 읽을 것", "with": "견주거나 쓰는 것",
    },
}


def words(language):
    return WORDS[language]
