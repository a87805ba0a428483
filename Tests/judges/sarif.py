"""Judges a SARIF file: is it what the schema of SARIF 2.1.0 demands?

The model of the package `pydantic-sarif` was generated from the schema of OASIS: required members, no unknown ones, types, patterns and ranges. What no
schema can say is checked beside it: every result points at the rule that it names.

    sarif.py FILE    prints how many rules and results there are; ends with 1 and the reasons when the file is not valid
"""

import json
import sys

from pydantic import ValidationError
from pydantic_sarif.model import StaticAnalysisResultsFormatSarifVersion210JsonSchema as Sarif

with open(sys.argv[1], encoding="utf-8") as file:
    document = json.load(file)
try:
    log = Sarif.model_validate(document)
except ValidationError as error:
    for problem in error.errors():
        print("/".join(map(str, problem["loc"])) + ": " + problem["msg"])
    sys.exit(1)
for run in log.runs:
    rules = run.tool.driver.rules or []
    for result in run.results or []:
        if rules[result.ruleIndex].id != result.ruleId:
            sys.exit(f"{result.ruleId} points at {rules[result.ruleIndex].id}")
    print(len(rules), "rules,", len(run.results or []), "results")
